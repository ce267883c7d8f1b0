package archive

// reportPage is the template of the page that WriteReport writes.
const reportPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>Archive of references</title>
<style>
:root { --line: #d8d8d2; --ink: #22231f; --soft: #666860; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 68rem; margin: 2rem auto 4rem; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
p.soft, .soft { color: var(--soft); }
dl.numbers { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; margin: 1.25rem 0; }
dl.numbers div { min-width: 7rem; } dl.numbers dt { color: var(--soft); font-size: .85rem; } dl.numbers dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; font-size: .87rem; } th { text-align: left; color: var(--soft); font-weight: 500; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } td.r { min-width: 9.5rem; font-size: .8rem; } td.t { white-space: nowrap; font-variant-numeric: tabular-nums; }
code { font-family: ui-monospace, monospace; font-size: .85em; } .words { color: var(--soft); }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 0 3rem; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
</style>
</head>
<body>
<h1>Archive of the references of mail</h1>
<p class="soft">Made {{date .Made}} from format {{.Format}}; the ledger ends with line {{.Head.Seq}}:<br><code>{{.Head}}</code></p>
<dl class="numbers">
<div><dt>references</dt><dd>{{.Status.References}}</dd></div>
<div><dt>captured</dt><dd>{{.Status.Captures}}</dd></div>
<div><dt>exceptions</dt><dd>{{.Status.Exceptions}}</dd></div>
<div><dt>not tried</dt><dd>{{.Status.Unasked}}</dd></div>
<div><dt>due now</dt><dd>{{.Status.Due}}</dd></div>
<div><dt>messages</dt><dd>{{.Status.Messages}}</dd></div>
<div><dt>bodies</dt><dd>{{.Status.Bodies}}</dd></div>
<div><dt>octets of bodies</dt><dd>{{.Status.Size}}</dd></div>
</dl>
{{define "groups"}}<table><tr><th></th><th class="n">references</th><th class="n">captured</th><th class="n">exceptions</th><th class="n">not tried</th></tr>{{range .}}<tr><td>{{or .Name "(in the message)"}}</td><td class="n">{{.Total}}</td><td class="n">{{.Captured}}</td><td class="n">{{.Excepted}}</td><td class="n">{{.Open}}</td></tr>{{end}}</table>{{end}}
<h2>By host</h2>
{{if .Hosts}}{{template "groups" .Hosts}}{{else}}<p>There are no references.</p>{{end}}
{{if .HostsLeft}}<p class="soft">{{.HostsLeft}} hosts with fewer references are in the CSV.</p>{{end}}
{{if .Years}}<h2>By year of the message</h2>{{template "groups" .Years}}{{end}}
<div class="two">
<section><h2>By outcome</h2><table><tr><th>outcome</th><th class="n">references</th></tr>{{range .Kinds}}<tr><td>{{.Name}}</td><td class="n">{{.Total}}</td></tr>{{end}}</table></section>
<section><h2>What the captured bodies are</h2><table><tr><th>capture</th><th class="n">references</th></tr>{{range .Labels}}<tr><td>{{.Name}}</td><td class="n">{{.Total}}</td></tr>{{end}}</table>
<p class="soft">declared: the reference has a digest that agrees. version: the version that the URL names. current: what the host had at the time of capture, which may not be what was sent. rendition: made by the host from a document. unknown: none of these is known.</p></section>
</div>
<h2>Sources</h2>
<table><tr><th>source</th><th class="n">exist</th><th class="n">seen</th><th class="n">excepted</th><th class="n">older</th><th class="n">stored</th><th>accounted for</th></tr>
{{range .Sources}}<tr><td>{{.Source}}</td><td class="n">{{.Exists}}</td><td class="n">{{.Seen}}</td><td class="n">{{.Excepted}}</td><td class="n">{{.Older}}</td><td class="n">{{.Stored}}</td><td>{{if .Error}}no: {{.Error}}{{else if .Unaccounted}}no: {{.Unaccounted}} are missing{{else}}yes{{end}}</td></tr>{{end}}</table>
{{if .Files.Rows}}<h2>Files and messages that cannot be read</h2>
<table><tr><th>place</th><th>reason</th><th>error</th></tr>{{range .Files.Rows}}<tr><td>{{or .File .Source}}{{if .UID}}, UID {{.UID}}{{end}}</td><td>{{.Reason}}</td><td>{{.Error}}</td></tr>{{end}}</table>{{if .Files.Left}}<p class="soft">and {{.Files.Left}} more in the ledger</p>{{end}}{{end}}
<h2>Changed since the first capture</h2>
{{if .Changes.Rows}}<table><tr><th>when</th><th>URL</th><th>first</th><th>now</th></tr>{{range .Changes.Rows}}<tr><td class="t">{{date .Time}}</td><td>{{.Changed.URL}}</td><td><code>{{short .Changed.From}}</code></td><td><code>{{short .Changed.To}}</code></td></tr>{{end}}</table>{{if .Changes.Left}}<p class="soft">and {{.Changes.Left}} more in the ledger</p>{{end}}{{else}}<p>Nothing that was asked for again has changed.</p>{{end}}
{{define "exceptions"}}<table><tr><th>message</th><th>asked for</th><th>reason</th><th>answer</th><th>due</th></tr>{{range .}}<tr><td>{{with .Row.Message}}{{if .Subject}}{{words .Subject}}<br>{{end}}<span class="soft">{{.Date}} {{words .From}}</span><br>{{if .MessageID}}<code>{{.MessageID}}</code>{{else}}<code>{{short .SHA256}}</code>{{end}}{{end}}</td><td>{{or .Exception.URL .Row.Reference.AccessType}}</td><td class="r">{{.Exception.Reason}}<br><span class="soft">{{.Exception.Kind}}{{if .Exception.Status}}, {{.Exception.Status}}{{end}}, {{.Exception.Attempts}}×</span></td><td>{{if .Exception.Words}}<q>{{.Exception.Words}}</q><br>{{end}}<span class="words">{{.Exception.Error}}</span></td><td class="t">{{with date .Exception.Due}}{{.}}{{else}}final{{end}}</td></tr>{{end}}</table>{{end}}
<h2>Given up</h2>
{{if .GivenUp.Rows}}{{template "exceptions" .GivenUp.Rows}}{{if .GivenUp.Left}}<p class="soft">and {{.GivenUp.Left}} more in the CSV</p>{{end}}{{else}}<p>Nothing was given up.</p>{{end}}
<h2>Gone</h2>
{{if .Gone.Rows}}{{template "exceptions" .Gone.Rows}}{{if .Gone.Left}}<p class="soft">and {{.Gone.Left}} more in the CSV</p>{{end}}{{else}}<p>Nothing is known to be deleted.</p>{{end}}
<h2>Other exceptions</h2>
{{if .Failed.Rows}}{{template "exceptions" .Failed.Rows}}{{if .Failed.Left}}<p class="soft">and {{.Failed.Left}} more in the CSV</p>{{end}}{{else}}<p>There are none.</p>{{end}}
<h2>Due</h2>
{{if .Due.Rows}}<table><tr><th>when</th><th>host</th><th>reference</th><th>before</th></tr>{{range .Due.Rows}}<tr><td class="t">{{with date .Due}}{{.}}{{else}}with the next run{{end}}</td><td>{{.Host}}</td><td><code>{{short .Message}}</code> {{.Ref}}</td><td>{{if .Kind}}{{.Kind}}, {{.Attempts}}×{{else}}not tried{{end}}</td></tr>{{end}}</table>{{if .Due.Left}}<p class="soft">and {{.Due.Left}} more</p>{{end}}{{else}}<p>Nothing is due.</p>{{end}}
</body>
</html>
`
