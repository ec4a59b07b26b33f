package server

import (
	"encoding/binary"
	"syscall"
	"unsafe"
)

// The system calls here are for non-blocking descriptors, so they skip the scheduler's bookkeeping for calls that
// block.

// sendAll is sendTo for at most maxVector chunks in one call. None of them may be empty.
func sendAll(fd int, list [][]byte) (int, error) {
	if len(list) == 1 {
		return sendTo(fd, list[0])
	}
	var vector [maxVector]syscall.Iovec
	for i, b := range list {
		vector[i].Base = unsafe.SliceData(b)
		vector[i].SetLen(len(b))
	}
	n, _, errno := syscall.RawSyscall(syscall.SYS_WRITEV, uintptr(fd), uintptr(unsafe.Pointer(&vector)),
		uintptr(len(list)))
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}

// signalWakeFD and drainWake are for an eventfd.
func signalWakeFD(fd int) {
	var count [8]byte
	binary.NativeEndian.PutUint64(count[:], 1)
	_, _ = rawIO(syscall.SYS_WRITE, fd, count[:], 0)
}

func drainWake(fd int) {
	var count [8]byte
	_, _ = rawIO(syscall.SYS_READ, fd, count[:], 0)
}

func rawIO(call uintptr, fd int, b []byte, flags uintptr) (int, error) {
	n, _, errno := syscall.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)),
		flags, 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}

// epollNow returns the number of events, without waiting.
func epollNow(epfd int, events []syscall.EpollEvent) int {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, uintptr(epfd),
		uintptr(unsafe.Pointer(unsafe.SliceData(events))),
		uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}
