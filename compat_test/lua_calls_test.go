package compat

import (
	"reflect"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// luaCall is a redis.call or redis.pcall with a literal command.
type luaCall struct {
	command string // upper case
	args    int    // number of arguments, with the name
	open    bool   // the last argument may have several values
}

// literalCalls returns the calls with a literal command in a script.
func literalCalls(script string) ([]luaCall, error) {
	chunk, err := parse.Parse(strings.NewReader(script), "script")
	if err != nil {
		return nil, err
	}
	var calls []luaCall
	walkCalls(reflect.ValueOf(chunk), func(e *ast.FuncCallExpr) {
		if call, ok := literalCall(e); ok {
			calls = append(calls, call)
		}
	})
	return calls, nil
}

// walkCalls visits every function call below a node. The syntax tree has forty node types and no visitor, so it uses
// reflection to find the fields with nodes.
func walkCalls(v reflect.Value, visit func(*ast.FuncCallExpr)) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if call, ok := v.Interface().(*ast.FuncCallExpr); ok && v.Kind() == reflect.Pointer {
			visit(call)
		}
		walkCalls(v.Elem(), visit)
	case reflect.Slice:
		for i := range v.Len() {
			walkCalls(v.Index(i), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkCalls(v.Field(i), visit)
			}
		}
	}
}

func literalCall(e *ast.FuncCallExpr) (luaCall, bool) {
	object, name := member(e.Func)
	if object != "redis" || (name != "call" && name != "pcall") || len(e.Args) == 0 {
		return luaCall{}, false
	}
	command, ok := e.Args[0].(*ast.StringExpr)
	if !ok {
		return luaCall{}, false
	}
	return luaCall{strings.ToUpper(command.Value), len(e.Args), givesMany(e.Args[len(e.Args)-1])}, true
}

// member splits object.name; for a plain name the object is empty.
func member(e ast.Expr) (object, name string) {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return "", e.Value
	case *ast.AttrGetExpr:
		key, ok := e.Key.(*ast.StringExpr)
		if o, named := e.Object.(*ast.IdentExpr); ok && named {
			return o.Value, key.Value
		}
	}
	return "", ""
}

// givesMany reports whether the last expression of a list can have several values.
func givesMany(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Comma3Expr:
		return true
	case *ast.FuncCallExpr:
		_, name := member(e.Func)
		return name == "unpack" && !e.AdjustRet
	}
	return false
}
