package admin

import (
	"fmt"
)

// infoCPU is the CPU time of the process in seconds. Commands run on all of its threads, not on a main one, so the
// fields of the main thread have the same values. In a test that embeds the server, the test is included.
var infoCPU = []infoField{
	{"used_cpu_sys", func(*infoReport) any { sys, _ := cpuTimes(); return cpuSeconds(sys) }},
	{"used_cpu_user", func(*infoReport) any { _, user := cpuTimes(); return cpuSeconds(user) }},
	constant("used_cpu_sys_children", "0.000000"),
	constant("used_cpu_user_children", "0.000000"),
	{"used_cpu_sys_main_thread", func(*infoReport) any { sys, _ := cpuTimes(); return cpuSeconds(sys) }},
	{"used_cpu_user_main_thread", func(*infoReport) any { _, user := cpuTimes(); return cpuSeconds(user) }},
	only("valkey-9.1", infoField{"used_active_time_main_thread", func(*infoReport) any {
		sys, user := cpuTimes()
		return cpuSeconds(sys + user)
	}}),
}

// cpuSeconds prints seconds with microseconds, as Redis does.
func cpuSeconds(seconds float64) string { return fmt.Sprintf("%.6f", seconds) }
