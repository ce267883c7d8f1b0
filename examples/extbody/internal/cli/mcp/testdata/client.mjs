// A client on the official TypeScript SDK, which is not ours. It prints what it got as JSON.
// node client.mjs SDK SEEN PROGRAM ARGUMENT...
// It asks for the URL SEEN at the first progress of the file.
const [sdk, seen, program, ...args] = process.argv.slice(2)
const { Client } = await import(sdk + '/dist/esm/client/index.js')
const { StdioClientTransport } = await import(sdk + '/dist/esm/client/stdio.js')
const { ElicitRequestSchema } = await import(sdk + '/dist/esm/types.js')

const got = { questions: [], progress: 0 }
let answer = 'decline'
const client = new Client({ name: 'foreign', version: '1' }, { capabilities: { elicitation: {} } })
client.setRequestHandler(ElicitRequestSchema, async (request) => {
	got.questions.push(request.params.message)
	return answer === 'accept' ? { action: 'accept', content: {} } : { action: answer }
})
await client.connect(new StdioClientTransport({ command: program, args, env: process.env }))
got.server = client.getServerVersion().name
got.tools = (await client.listTools()).tools.map((t) => t.name)
const call = async (name, args, options) => {
	try {
		const r = await client.callTool({ name, arguments: args }, undefined, options)
		return r.isError ? { error: r.content[0].text } : r.structuredContent
	} catch (e) {
		return { error: String(e) }
	}
}
got.list = await call('list', { path: '.' })
const ref = { path: 'a.eml', index: 0, ref: '1' }
got.plan = await call('plan', ref)
got.declined = await call('get', { path: 'declined.eml', ref: '1' })
got.again = await call('get', { path: 'declined.eml', ref: '1' })
answer = 'accept'
const stop = new AbortController()
setTimeout(() => stop.abort(), 300)
got.cancelled = await call('get', { path: 'slow.eml', index: 0, ref: '1' }, { signal: stop.signal })
got.get = await call('get', ref, { onprogress: () => got.progress++ || fetch(seen) })
got.several = await call('get', { path: 'several.eml', refs: ['1', '2'] })
await client.close()
console.log(JSON.stringify(got))
