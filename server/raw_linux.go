package server

import (
	"encoding/binary"
	"syscall"
	"unsafe"
)

// The system calls here are for descriptors that do not block, so the scheduler need not be told of them.

// receive and transmit are for sockets: send and recv skip the layer for files that read and write go through, some 4 % of an
// unpipelined command.
func receive(fd int, b []byte) (int, error) { return rawIO(syscall.SYS_RECVFROM, fd, b, 0) }

func transmit(fd int, b []byte) (int, error) {
	return rawIO(syscall.SYS_SENDTO, fd, b, syscall.MSG_NOSIGNAL)
}

// transmitAll is transmit for at most maxVector pieces in one call (writev). None of them is empty.
func transmitAll(fd int, list [][]byte) (int, error) {
	if len(list) == 1 {
		return transmit(fd, list[0])
	}
	var vector [maxVector]syscall.Iovec
	for i, b := range list {
		vector[i].Base = unsafe.SliceData(b)
		vector[i].SetLen(len(b))
	}
	message := syscall.Msghdr{Iov: &vector[0]}
	setVectorLen(&message, len(list))
	n, _, errno := syscall.RawSyscall(syscall.SYS_SENDMSG, uintptr(fd), uintptr(unsafe.Pointer(&message)), syscall.MSG_NOSIGNAL)
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
