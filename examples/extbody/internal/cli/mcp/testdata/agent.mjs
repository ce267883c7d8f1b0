// A session of an agent on the official TypeScript SDK: it gets the files of the newest mail of one sender.
// node agent.mjs SDK SENDER SINCE PROGRAM ARGUMENT...
// It prints the calls, the octets of their answers and of the list of tools, the files, and the questions to the user.
const [sdk, from, since, program, ...args] = process.argv.slice(2)
const { Client } = await import(sdk + '/dist/esm/client/index.js')
const { StdioClientTransport } = await import(sdk + '/dist/esm/client/stdio.js')
const { ElicitRequestSchema } = await import(sdk + '/dist/esm/types.js')

const got = { calls: 0, octets: 0, tools: 0, files: [], questions: [] }
const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: {} } })
client.setRequestHandler(ElicitRequestSchema, async (request) => {
	got.questions.push(request.params.message)
	return { action: 'accept', content: {} }
})
await client.connect(new StdioClientTransport({ command: program, args, env: process.env }))
got.tools = Buffer.byteLength(JSON.stringify((await client.listTools()).tools))
const call = async (name, args) => {
	const answer = await client.callTool({ name, arguments: args })
	got.calls++
	got.octets += Buffer.byteLength(JSON.stringify(answer))
	if (answer.isError) {
		throw new Error(answer.content[0].text)
	}
	return answer.structuredContent
}
const { references } = await call('list', { path: 'box', from, since })
const { path, index } = references[0]
const refs = references.filter((r) => r.index === index).map((r) => r.ref)
const { files } = await call('get', { path, index, refs })
got.files = files.map((f) => f.file)
await client.close()
console.log(JSON.stringify(got))
