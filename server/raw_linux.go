package server

import (
	"encoding/binary"
	"syscall"
	"unsafe"
)

// The system calls here are for descriptors that do not block, so the scheduler need not be told of them.

// receive and transmit are for sockets. A call that is for nothing else spares a command without company the way through the
// kernel's file layer, some 4 % of what it costs.
func receive(fd int, b []byte) (int, error) { return rawIO(syscall.SYS_RECVFROM, fd, b, 0) }

func transmit(fd int, b []byte) (int, error) {
	return rawIO(syscall.SYS_SENDTO, fd, b, syscall.MSG_NOSIGNAL)
}

// ringBell and hearBell are for an eventfd.
func ringBell(fd int) {
	var count [8]byte
	binary.NativeEndian.PutUint64(count[:], 1)
	_, _ = rawIO(syscall.SYS_WRITE, fd, count[:], 0)
}

func hearBell(fd int) {
	var count [8]byte
	_, _ = rawIO(syscall.SYS_READ, fd, count[:], 0)
}

func rawIO(call uintptr, fd int, b []byte, flags uintptr) (int, error) {
	n, _, errno := syscall.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), flags, 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}

// epollNow asks which descriptors are ready, without waiting.
func epollNow(epfd int, events []syscall.EpollEvent) int {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, uintptr(epfd), uintptr(unsafe.Pointer(unsafe.SliceData(events))),
		uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}
