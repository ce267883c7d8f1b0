-- The tables of a tier. "extbody fleet init" creates them in the first schema of the
-- search_path, or runs the versions below that a tier does not have yet.
--
-- A version serves the programs of the version before it, which go on while it is made and after
-- that. So it adds, with a default for the rows that they write, and leaves to the next version the
-- removal of a thing that they use.

CREATE TABLE fleet_tier (
	version  integer NOT NULL,
	secret   bytea   NOT NULL, -- keys the names of objects and entries
	timeline text,             -- of the server, which changes when a standby is promoted
	changed  timestamptz       -- when the timeline was seen first
);

-- A host, by its key (safefetch.Key). Its owner holds the advisory lock "lock".
CREATE TABLE fleet_hosts (
	host      text PRIMARY KEY,
	lock      bigint NOT NULL,
	owner     text,       -- the worker that took the lock last; NULL when it gave the lock up
	wanted_by text,       -- a worker that waits for the lock
	not_until timestamptz -- no requests before
);

CREATE TABLE fleet_workers (
	id      text PRIMARY KEY,
	seen    timestamptz NOT NULL,
	hosts   integer NOT NULL,
	running integer NOT NULL,
	drain   boolean NOT NULL DEFAULT false
);

CREATE TABLE fleet_objects (
	name text PRIMARY KEY,
	used timestamptz NOT NULL
);

CREATE TABLE fleet_jobs (
	id      bigserial PRIMARY KEY,
	key     bytea NOT NULL,
	host    text  NOT NULL,
	request jsonb NOT NULL,
	state   text  NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done')),
	worker  text,
	session bigint,                     -- of the worker, which holds the advisory lock of that number
	tries   integer NOT NULL DEFAULT 0,
	created timestamptz NOT NULL DEFAULT now(),
	ended   timestamptz,
	result  jsonb,
	object  text,                       -- of the body; NULL without one
	shared  boolean NOT NULL DEFAULT true, -- all who wait may have the result
	taken   boolean NOT NULL DEFAULT false
);

-- Requests for the same thing wait for one job.
CREATE UNIQUE INDEX fleet_jobs_open ON fleet_jobs (key) WHERE state <> 'done';
CREATE INDEX fleet_jobs_queued ON fleet_jobs (host, id) WHERE state = 'queued';
CREATE INDEX fleet_jobs_running ON fleet_jobs (session) WHERE state = 'running';
CREATE INDEX fleet_jobs_ended ON fleet_jobs (ended) WHERE state = 'done';
CREATE INDEX fleet_jobs_object ON fleet_jobs (object) WHERE object IS NOT NULL;

-- The stored answers.
CREATE TABLE fleet_entries (
	key    bytea PRIMARY KEY,
	meta   bytea NOT NULL,
	object text   NOT NULL,
	sha256 bytea  NOT NULL,
	size   bigint NOT NULL,
	used   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX fleet_entries_object ON fleet_entries (object);
CREATE INDEX fleet_entries_used ON fleet_entries (used);

-- Version 2. Answers of version 1, which could not be forgotten by URL, are fetched again.
DELETE FROM fleet_entries;
ALTER TABLE fleet_entries ADD urls bytea[] NOT NULL; -- the names of the URLs that led to it
CREATE INDEX fleet_entries_urls ON fleet_entries USING gin (urls);
CREATE INDEX fleet_entries_sha256 ON fleet_entries (sha256);

-- Requests that may have used up a download, and are not made again.
ALTER TABLE fleet_jobs ADD claimed boolean NOT NULL DEFAULT false;
CREATE INDEX fleet_jobs_claimed ON fleet_jobs (key) WHERE claimed;

-- The outcomes of scans, by the signatures.
CREATE TABLE fleet_scans (
	sha256  bytea NOT NULL,
	version text  NOT NULL,
	outcome jsonb NOT NULL,
	scanned timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (sha256, version)
);
CREATE INDEX fleet_scans_scanned ON fleet_scans (scanned);

-- The mails that referred to a body.
CREATE TABLE fleet_findings (
	sha256     bytea NOT NULL,
	server     text  NOT NULL,
	queue_id   text  NOT NULL,
	message_id text  NOT NULL,
	found      timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (sha256, server, queue_id, message_id)
);
CREATE INDEX fleet_findings_message ON fleet_findings (message_id);
CREATE INDEX fleet_findings_found ON fleet_findings (found);

-- Version 3. Tenants. The names of answers depend on the tenant, so that those of version 2 are
-- fetched again.
DELETE FROM fleet_entries;

-- The tenants of logins. A login that is not here has the tenant ''.
CREATE TABLE fleet_tenants (
	login  text PRIMARY KEY,
	tenant text NOT NULL
);

-- The tenant of the login of this session, which no SET ROLE changes.
CREATE FUNCTION fleet_tenant() RETURNS text STABLE SECURITY DEFINER
	RETURN coalesce((SELECT tenant FROM fleet_tenants WHERE login = session_user), '');

-- The secret of a tenant, for its own logins and for workers; NULL for others.
CREATE FUNCTION fleet_secret(name text) RETURNS bytea STABLE SECURITY DEFINER
	RETURN (SELECT sha256(secret || convert_to(name, 'UTF8') || secret) FROM fleet_tier
		WHERE name = fleet_tenant() OR pg_has_role(session_user, 'fleet_worker', 'MEMBER'));

-- A row that a client writes has the tenant of its login.
ALTER TABLE fleet_entries ADD tenant text NOT NULL;
ALTER TABLE fleet_jobs ADD tenant text NOT NULL DEFAULT '';
ALTER TABLE fleet_jobs ALTER tenant SET DEFAULT fleet_tenant();
ALTER TABLE fleet_scans ADD tenant text NOT NULL DEFAULT '', DROP CONSTRAINT fleet_scans_pkey, ADD PRIMARY KEY (tenant, sha256, version);
ALTER TABLE fleet_scans ALTER tenant SET DEFAULT fleet_tenant();
ALTER TABLE fleet_findings ADD tenant text NOT NULL DEFAULT '', DROP CONSTRAINT fleet_findings_pkey,
	ADD PRIMARY KEY (tenant, sha256, server, queue_id, message_id);
ALTER TABLE fleet_findings ALTER tenant SET DEFAULT fleet_tenant();

-- Version 4. Versions that this program does not have to know, sessions, and deferrals.
ALTER TABLE fleet_tier ADD serves integer NOT NULL DEFAULT 4; -- the oldest version of programs that these tables serve

-- Whether a fetcher was there lately.
CREATE FUNCTION fleet_served() RETURNS boolean STABLE SECURITY DEFINER
	RETURN EXISTS (SELECT FROM fleet_workers WHERE seen > now() - interval '20 seconds');

-- The client of an answer that may not be stored has its body, or needs it no more.
ALTER TABLE fleet_jobs ADD handed boolean NOT NULL DEFAULT false;
CREATE INDEX fleet_jobs_own ON fleet_jobs (id) WHERE state = 'done' AND NOT shared;

-- How often a message was deferred by the servers, by its name.
CREATE TABLE fleet_deferrals (
	tenant text NOT NULL DEFAULT fleet_tenant(),
	key    bytea NOT NULL,
	first  timestamptz NOT NULL,
	tries  integer NOT NULL,
	PRIMARY KEY (tenant, key)
);
CREATE INDEX fleet_deferrals_first ON fleet_deferrals (first);

-- When the server started to which the worker had its last session; NULL after it gave that up itself.
ALTER TABLE fleet_workers ADD server timestamptz;
