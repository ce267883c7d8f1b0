// Asks the servers of a Cloud with the clients of their vendors, in the folder of npm that is the first argument. The
// second one is JSON: the URL of the API, a link, the ids of a file at Graph and at Drive, and a token. Writes a line of
// JSON with each outcome by its name.
const { createRequire } = require('module');
const { join } = require('path');

const load = createRequire(join(process.argv[2], 'clients.js'));
const { api, link, item, file, token } = JSON.parse(process.argv[3]);

const text = async (stream) => {
	const pieces = [];
	for await (const piece of stream) pieces.push(Buffer.from(piece));
	return Buffer.concat(pieces).toString();
};

const graph = ({ Client, PageIterator }) => {
	const as = (word) => Client.initWithMiddleware({
		baseUrl: api + '/', defaultVersion: 'v1.0', customHosts: new Set([new URL(api).hostname]),
		authProvider: { getAccessToken: async () => word },
	});
	const client = as(token);
	const share = (url) => `/shares/u!${Buffer.from(url).toString('base64url')}/driveItem`;
	const at = `/drives/b!drive/items/${item}`;
	return {
		'graph item': async () => {
			const v = await client.api(share(link)).header('Prefer', 'redeemSharingLinkIfNecessary').get();
			return [v.name, v.size, v.parentReference.driveId].join(' ');
		},
		'graph versions': async () => {
			const ids = [];
			await new PageIterator(client, await client.api(at + '/versions').get(), (v) => ids.push(v.id)).iterate();
			return ids.join(' ');
		},
		'graph octets': async () => text(await client.api(at + '/content').getStream()),
		'graph octets of a version': async () => text(await client.api(at + '/versions/2.0/content').getStream()),
		'graph present version': async () => text(await client.api(at + '/versions/3.0/content').getStream()),
		'graph no share': async () => client.api(share('https://stranger.example/')).get(),
		'graph token': async () => as('bad').api(share(link)).get(),
	};
};

const drive = ({ drive, auth }) => {
	const as = (word) => {
		const login = new auth.OAuth2();
		login.setCredentials({ access_token: word });
		return drive({ version: 'v3', auth: login, rootUrl: api, retry: false });
	};
	const client = as(token);
	const fileId = file;
	return {
		'drive file': async () => {
			const { data } = await client.files.get({ fileId, supportsAllDrives: true, fields: 'id,name,size,md5Checksum,headRevisionId' });
			return [data.name, data.size, data.md5Checksum, data.headRevisionId].join(' ');
		},
		'drive revisions': async () => (await client.revisions.list({ fileId })).data.revisions.map((r) => r.id).join(' '),
		'drive octets': async () => text((await client.files.get({ fileId, alt: 'media' }, { responseType: 'stream' })).data),
		'drive octets of a revision': async () => text((await client.revisions.get({ fileId, revisionId: 'r2', alt: 'media' }, { responseType: 'stream' })).data),
		'drive no file': async () => client.files.get({ fileId: 'missing' }),
		'drive token': async () => as('bad').files.get({ fileId }),
	};
};

const clients = { '@microsoft/microsoft-graph-client': graph, '@googleapis/drive': drive };

(async () => {
	const outcomes = {};
	for (const [name, questions] of Object.entries(clients)) {
		let client;
		try {
			client = load(name);
		} catch {
			continue; // another folder has it
		}
		for (const [question, ask] of Object.entries(questions(client))) {
			try {
				outcomes[question] = await ask();
			} catch (err) {
				outcomes[question] = `error ${err.statusCode ?? err.response?.status ?? err.message}`;
			}
		}
	}
	console.log(JSON.stringify(outcomes));
})();
