package compat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// A parser of Java class files, for their string constants and how they are used (Java Virtual Machine Specification,
// chapter 4). A script that is one literal, or literals joined by +, is one constant. A constant that is appended to a
// StringBuilder is only a fragment of a script.

// stringUse is a string constant that a method loads.
type stringUse struct {
	method string
	text   string
	joined bool // the next instruction appends it to another string
}

// classFile is a parsed class: its constant pool and its methods' bytecode.
type classFile struct {
	pool    []poolEntry
	methods []classMethod
}

// poolEntry is a constant. Its tag says which fields are used.
type poolEntry struct {
	tag  byte
	text string // tagUTF8
	a, b uint16 // indexes of other constants
}

type classMethod struct {
	name string
	code []byte
}

// Constant pool tags (JVMS table 4.4-A).
const (
	tagUTF8         = 1
	tagInteger      = 3
	tagFloat        = 4
	tagLong         = 5
	tagDouble       = 6
	tagClass        = 7
	tagString       = 8
	tagNameAndType  = 12
	tagMethodHandle = 15
	tagMethodType   = 16
	tagModule       = 19
	tagPackage      = 20
)

var errShortClass = errors.New("class file ends too early")

// classReader reads the bytes of a class. After the end it returns zeros, and err is set.
type classReader struct {
	data []byte
	err  error
}

func (r *classReader) take(n int) []byte {
	if n > len(r.data) {
		r.err, r.data = errShortClass, nil
		return make([]byte, min(n, 8))
	}
	head := r.data[:n]
	r.data = r.data[n:]
	return head
}

func (r *classReader) u1() byte   { return r.take(1)[0] }
func (r *classReader) u2() uint16 { return binary.BigEndian.Uint16(r.take(2)) }
func (r *classReader) u4() uint32 { return binary.BigEndian.Uint32(r.take(4)) }

// parseClass reads a class file.
func parseClass(data []byte) (*classFile, error) {
	r := &classReader{data: data}
	if r.u4() != 0xCAFEBABE {
		return nil, errors.New("not a class file")
	}
	r.take(4) // minor and major version
	c := &classFile{}
	if err := c.readPool(r); err != nil {
		return nil, err
	}
	r.take(6)               // access flags, this class, superclass
	r.take(2 * int(r.u2())) // interfaces
	c.readMembers(r, false) // fields
	c.readMembers(r, true)  // methods
	return c, r.err
}

func (c *classFile) readPool(r *classReader) error {
	count := int(r.u2())
	c.pool = make([]poolEntry, count)
	for i := 1; i < count && r.err == nil; i++ {
		e, err := readPoolEntry(r)
		if err != nil {
			return err
		}
		c.pool[i] = e
		if e.tag == tagLong || e.tag == tagDouble {
			i++ // these have two slots
		}
	}
	return r.err
}

func readPoolEntry(r *classReader) (poolEntry, error) {
	e := poolEntry{tag: r.u1()}
	switch e.tag {
	case tagUTF8:
		e.text = string(r.take(int(r.u2())))
	case tagInteger, tagFloat:
		r.take(4)
	case tagLong, tagDouble:
		r.take(8)
	case tagClass, tagString, tagMethodType, tagModule, tagPackage:
		e.a = r.u2()
	case tagMethodHandle:
		r.take(3)
	case 9, 10, 11, tagNameAndType, 17, 18: // references: two indexes
		e.a, e.b = r.u2(), r.u2()
	default:
		return e, fmt.Errorf("unknown constant pool tag %d", e.tag)
	}
	return e, nil
}

// readMembers reads the fields or the methods, and keeps only methods.
func (c *classFile) readMembers(r *classReader, keep bool) {
	for n := int(r.u2()); n > 0 && r.err == nil; n-- {
		r.take(2) // access flags
		m := classMethod{name: c.text(r.u2())}
		r.take(2) // descriptor
		c.readAttributes(r, &m)
		if keep && m.code != nil {
			c.methods = append(c.methods, m)
		}
	}
}

func (c *classFile) readAttributes(r *classReader, m *classMethod) {
	for n := int(r.u2()); n > 0 && r.err == nil; n-- {
		name := c.text(r.u2())
		body := &classReader{data: r.take(int(r.u4()))}
		if name != "Code" {
			continue
		}
		body.take(4) // max stack, max locals
		m.code = body.take(int(body.u4()))
	}
}

func (c *classFile) entry(i uint16) poolEntry {
	if int(i) >= len(c.pool) {
		return poolEntry{}
	}
	return c.pool[i]
}

func (c *classFile) text(i uint16) string { return c.entry(i).text }

// strings returns the string constants that the methods load, and that keep accepts, in the order of the bytecode.
func (c *classFile) strings(keep func(string) bool) []stringUse {
	var found []stringUse
	for _, m := range c.methods {
		for at := 0; at < len(m.code); {
			next := at + instructionLength(m.code, at)
			if text, ok := c.loaded(m.code[at:min(next, len(m.code))]); ok && keep(text) {
				found = append(found, stringUse{m.name, text, c.joins(m.code, next)})
			}
			at = next
		}
	}
	return found
}

// loaded returns the string that an ldc or ldc_w instruction pushes.
func (c *classFile) loaded(ins []byte) (string, bool) {
	var index uint16
	switch {
	case len(ins) == 2 && ins[0] == opLdc:
		index = uint16(ins[1])
	case len(ins) == 3 && ins[0] == opLdcW:
		index = binary.BigEndian.Uint16(ins[1:])
	}
	e := c.entry(index)
	return c.text(e.a), e.tag == tagString
}

// joins reports whether an instruction appends the string that was just pushed to another.
func (c *classFile) joins(code []byte, at int) bool {
	if at+3 > len(code) || (code[at] != opInvokeVirtual && code[at] != opInvokeStatic) {
		return false
	}
	ref := c.entry(binary.BigEndian.Uint16(code[at+1:]))
	class, method := c.text(c.entry(ref.a).a), c.text(c.entry(ref.b).a)
	switch class[strings.LastIndexByte(class, '/')+1:] + "." + method {
	case "StringBuilder.append", "String.concat", "String.format":
		return true
	}
	return false
}
