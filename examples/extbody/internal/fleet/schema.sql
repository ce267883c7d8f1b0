-- The tables of a tier, version 1. "extbody fleet init" creates them in the first schema
-- of the search_path.

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
