package page

// source is the template of the page. It has no script, and refers to nothing elsewhere.
const source = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="10">
<title>extbody serve</title>
<style>
:root { color-scheme: light dark; --line: #8884; --bad: #c22; --odd: #b60; --good: #287; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; }
p { margin: .2rem 0; } .dim { opacity: .7; }
dl { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; }
dl div { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .9rem; min-width: 7rem; }
dt { font-size: .8rem; opacity: .7; } dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: .85rem; }
td { overflow-wrap: anywhere; } td.n { white-space: nowrap; font-variant-numeric: tabular-nums; }
.malware { color: var(--bad); font-weight: 600; } .suspicious, .pending, .unavailable { color: var(--odd); } .clean { color: var(--good); }
.warn { border-left: 4px solid var(--bad); padding-left: .7rem; }
ul { margin: 0; padding: 0; list-style: none; }
</style>
</head>
<body>
<h1>extbody serve</h1>
<p class="dim">up {{since .Started .Now}} · {{clock .Now}} UTC · {{if .Policy}}policy {{.Policy}}, {{.Rules}} rules{{else}}no policy: messages are tagged and pass{{end}}</p>
{{range .Warnings}}<p class="warn">{{.}}</p>{{end}}
<dl>
<div><dt>Messages now</dt><dd>{{.Active}}</dd></div>
<div><dt>Files pending</dt><dd>{{.Pending}}</dd></div>
<div><dt>Outcomes known</dt><dd>{{.Remembered}}</dd></div>
<div><dt>Deferred messages</dt><dd>{{.Deferred}}</dd></div>
</dl>
<h2>Hosts left alone</h2>
{{if .Down}}<div class="scroll"><table><tr><th>Host</th><th>Why</th><th>Until (UTC)</th></tr>
{{range .Down}}<tr><td>{{plain .Name}}</td><td>{{if .Down.IsZero}}asked to be{{else}}down{{end}}</td><td class="n">{{clock (until .)}}</td></tr>{{end}}
</table></div>{{else}}<p class="dim">None.</p>{{end}}
<h2>Hosts being asked</h2>
{{if .Busy}}<div class="scroll"><table><tr><th>Host</th><th>Under way</th><th>Waiting</th></tr>
{{range .Busy}}<tr><td>{{plain .Name}}</td><td class="n">{{.InFlight}}</td><td class="n">{{.Waiting}}</td></tr>{{end}}
</table></div>{{else}}<p class="dim">None.</p>{{end}}
<h2>Last messages with references</h2>
{{if .Last}}<div class="scroll"><table><tr><th>Time (UTC)</th><th>From</th><th>Queue</th><th>Verdict</th><th>Action</th><th>Rule</th><th>Reasons</th></tr>
{{range .Last}}<tr><td class="n">{{clock .Time}}</td><td>{{.Front}}</td><td>{{plain .QueueID}}</td><td class="{{.Verdict}}">{{.Verdict}}</td><td>{{.Action}}</td><td>{{.Rule}}</td><td><ul>{{range .Reasons}}<li>{{plain .}}</li>{{end}}</ul></td></tr>{{end}}
</table></div>{{else}}<p class="dim">None yet.</p>{{end}}
</body>
</html>
`
