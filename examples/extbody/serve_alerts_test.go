package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestServeAlerts has promtool judge the alerts, and raise each of them for numbers that it is for. The
// numbers are ones that servers and fetchers have.
func TestServeAlerts(t *testing.T) {
	promtool := installed(t, "promtool")
	rules, err := filepath.Abs("serve/alerts.yaml")
	must(t, err)
	test := filepath.Join(t.TempDir(), "test.yaml")
	text := "rule_files: [" + rules + "]\nevaluation_interval: 1m\ntests:\n"
	for alert, series := range map[string]string{
		"ExtbodyPassedUnverified": `extbody_passed_unverified_total{instance="a",verdict="pending"}: 0+1x90`,
		"ExtbodyDegraded":         `extbody_degraded{instance="a"}: 1x90`,
		"ExtbodyAbsent":           `up{instance="a",job="extbody"}: 0x90`,
		"ExtbodyReload":           `extbody_policy_reload_ok{instance="a"}: 0x90`,
		"ExtbodySlow":             `extbody_phase_seconds_bucket{instance="a",front="lmtp",phase="inspect",le="5"}: 0+8x90; extbody_phase_seconds_bucket{instance="a",front="lmtp",phase="inspect",le="30"}: 0+10x90; extbody_phase_seconds_bucket{instance="a",front="lmtp",phase="inspect",le="+Inf"}: 0+10x90; up{job="extbody"}: 1x90`,
		"ExtbodyNoScans":          `extbody_references_total{instance="a",state="known",cached="no"}: 0+9x90; extbody_scans_total{instance="a",outcome="failed"}: 0+9x90`,
		"ExtbodyFleetWaits":       `extbody_fleet_oldest_seconds{instance="a",state="queued"}: 61x90`,
		"ExtbodyFleetBucket":      `extbody_fleet_bucket_up{instance="a"}: 0x90`,
		"ExtbodyFleetOverlap":     `extbody_fleet_overlaps_total{instance="a"}: 0+1x90`,
	} {
		text += "  - interval: 1m\n    input_series:\n"
		for s := range strings.SplitSeq(series, "; ") {
			name, values, _ := strings.Cut(s, ": ")
			text += "      - { series: '" + name + "', values: '" + values + "' }\n"
		}
		text += "    promql_expr_test:\n      - { expr: 'count(ALERTS{alertname=\"" + alert + "\",alertstate=\"firing\"})', eval_time: 80m, exp_samples: [{ value: 1 }] }\n"
	}
	writeText(t, test, text)
	for _, args := range [][]string{{"check", "rules", rules}, {"test", "rules", test}} {
		if said, err := exec.Command(promtool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %q: %v\n%s", args, err, said)
		}
	}
	sources := readText(t, "internal/gateway/serve/metrics.go") + readText(t, "internal/cli/serve/fronts.go") + readText(t, "internal/cli/fleet/metrics.go")
	number := func(name string) bool {
		return strings.Contains(sources, `"`+strings.TrimSuffix(name, "_bucket")+`"`) || strings.Contains(sources, `"`+name+`"`)
	}
	for _, m := range regexp.MustCompile(`extbody_(?:fleet_)?([a-z_]+)`).FindAllStringSubmatch(readText(t, "serve/alerts.yaml"), -1) {
		if !number(m[0]) && !number(m[1]) {
			t.Errorf("%s: got an alert about a number that there is not", m[0])
		}
	}
}
