package page

// source is the template of the page. It has no script, and refers to nothing elsewhere.
// On a narrow screen the cells of a row are below each other, with the heads of their
// columns.
const source = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>extbody serve</title>
<style>
:root { color-scheme: light dark; --back: #fff; --text: #111; --line: #8884; --dim: #555; --bad: #a11; --odd: #840; --good: #164; }
@media (prefers-color-scheme: dark) { :root { --back: #161616; --text: #eee; --dim: #bbb; --bad: #f99; --odd: #fb6; --good: #8d9; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 75rem; padding: 0 1rem; background: var(--back); color: var(--text); }
h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; }
p { margin: .2rem 0; } .dim { color: var(--dim); }
dl { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; }
dl div { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .9rem; min-width: 7rem; }
dt { font-size: .8rem; color: var(--dim); } dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
form { display: flex; flex-wrap: wrap; gap: .5rem; margin: .4rem 0; } input { font: inherit; flex: 1 1 12rem; min-width: 0; } button { font: inherit; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
th { font-weight: 600; font-size: .85rem; }
td.n { white-space: nowrap; font-variant-numeric: tabular-nums; } td.long { overflow-wrap: anywhere; min-width: 14rem; }
.malware { color: var(--bad); font-weight: 600; } .suspicious, .pending, .unavailable { color: var(--odd); } .clean { color: var(--good); }
.warn { border-left: 4px solid var(--bad); padding-left: .7rem; }
ul { margin: 0; padding: 0; list-style: none; }
@media (max-width: 50rem) {
table, tbody, tr, td { display: block; } thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
tr { border-bottom: 1px solid var(--line); padding: .4rem 0; } td, td.n, td.long { border: 0; padding: .1rem 0; min-width: 0; overflow-wrap: anywhere; white-space: normal; }
td::before { content: attr(data-label) ": "; color: var(--dim); }
}
</style>
</head>
<body>
<main>
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
{{if .Down}}<table><thead><tr><th scope="col">Host</th><th scope="col">Why</th><th scope="col">Until (UTC)</th></tr></thead><tbody>
{{range .Down}}<tr><td class="long" data-label="Host">{{plain .Name}}</td><td data-label="Why">{{if .Down.IsZero}}asked to be{{else}}down{{end}}</td><td class="n" data-label="Until (UTC)">{{clock (until .)}}</td></tr>{{end}}
</tbody></table>{{else}}<p class="dim">None.</p>{{end}}
<h2>Hosts being asked</h2>
{{if .Busy}}<table><thead><tr><th scope="col">Host</th><th scope="col">Under way</th><th scope="col">Waiting</th></tr></thead><tbody>
{{range .Busy}}<tr><td class="long" data-label="Host">{{plain .Name}}</td><td class="n" data-label="Under way">{{.InFlight}}</td><td class="n" data-label="Waiting">{{.Waiting}}</td></tr>{{end}}
</tbody></table>{{else}}<p class="dim">None.</p>{{end}}
<h2>Last messages with references</h2>
<form><input name="q" value="{{.Query}}" aria-label="Host, SHA-256, name, signature, queue ID, Message-ID or client" placeholder="host, SHA-256, name, Message-ID, client"><button>Find</button></form>
{{if .Found}}<table><thead><tr><th scope="col">Time (UTC)</th><th scope="col">Came by</th><th scope="col">Message</th><th scope="col">Verdict</th><th scope="col">Action</th><th scope="col">Rule</th><th scope="col">Files</th></tr></thead><tbody>
{{range .Found}}<tr><td class="n" data-label="Time (UTC)">{{clock .Time}}</td><td data-label="Came by">{{.Front}}</td><td class="long" data-label="Message">{{plain .QueueID}} {{plain .MessageID}} {{plain .Client}}</td><td class="{{.Verdict}}" data-label="Verdict">{{.Verdict}}</td><td data-label="Action">{{.Action}}</td><td data-label="Rule">{{.Rule}}</td><td class="long" data-label="Files"><ul>{{range .Reasons}}<li>{{plain .}}</li>{{end}}</ul></td></tr>{{end}}
</tbody></table>{{else}}<p class="dim">{{if .Query}}None has this.{{else}}None yet.{{end}}</p>{{end}}
</main>
</body>
</html>
`
