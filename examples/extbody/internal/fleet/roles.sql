-- A client puts jobs and reads answers. A worker does everything but change the schema.
DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_client') THEN CREATE ROLE fleet_client NOLOGIN; END IF;
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_worker') THEN CREATE ROLE fleet_worker NOLOGIN; END IF;
END $$;
GRANT SELECT ON fleet_entries TO fleet_client;
GRANT SELECT (version, secret) ON fleet_tier TO fleet_client;
GRANT SELECT (id, key, state, shared, result, object, taken, claimed) ON fleet_jobs TO fleet_client;
GRANT INSERT (key, host, request) ON fleet_jobs TO fleet_client;
GRANT UPDATE (taken) ON fleet_jobs TO fleet_client;
GRANT USAGE ON SEQUENCE fleet_jobs_id_seq TO fleet_client;
GRANT SELECT, INSERT (sha256, version, outcome) ON fleet_scans TO fleet_client;
GRANT INSERT (sha256, server, queue_id, message_id) ON fleet_findings TO fleet_client;
GRANT SELECT, INSERT, UPDATE, DELETE ON fleet_scans, fleet_findings TO fleet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON fleet_hosts, fleet_workers, fleet_objects, fleet_jobs, fleet_entries TO fleet_worker;
GRANT SELECT, UPDATE (timeline, changed) ON fleet_tier TO fleet_worker;
GRANT USAGE ON SEQUENCE fleet_jobs_id_seq TO fleet_worker;
