-- A client puts jobs and reads answers. A reader asks who had a body. Both see the rows of their
-- tenant alone. A worker does everything but change the schema and the tenants.
DO $$
DECLARE
	t text;
BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_client') THEN CREATE ROLE fleet_client NOLOGIN; END IF;
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_reader') THEN CREATE ROLE fleet_reader NOLOGIN; END IF;
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_worker') THEN CREATE ROLE fleet_worker NOLOGIN; END IF;
	FOREACH t IN ARRAY ARRAY['fleet_entries', 'fleet_jobs', 'fleet_scans', 'fleet_findings'] LOOP
		EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
		EXECUTE format('DROP POLICY IF EXISTS own ON %I', t);
		EXECUTE format('DROP POLICY IF EXISTS every ON %I', t);
		EXECUTE format('CREATE POLICY own ON %I TO fleet_client, fleet_reader USING (tenant = (SELECT fleet_tenant()))', t);
		EXECUTE format('CREATE POLICY every ON %I TO fleet_worker USING (true)', t);
	END LOOP;
END $$;
GRANT SELECT ON fleet_entries TO fleet_client;
REVOKE SELECT (secret) ON fleet_tier FROM fleet_client;
GRANT SELECT (version) ON fleet_tier TO fleet_client, fleet_reader;
GRANT SELECT (id, key, state, shared, result, object, taken, claimed) ON fleet_jobs TO fleet_client;
GRANT INSERT (key, host, request) ON fleet_jobs TO fleet_client;
GRANT UPDATE (taken) ON fleet_jobs TO fleet_client;
GRANT USAGE ON SEQUENCE fleet_jobs_id_seq TO fleet_client;
GRANT SELECT, INSERT (sha256, version, outcome) ON fleet_scans TO fleet_client;
GRANT INSERT (sha256, server, queue_id, message_id) ON fleet_findings TO fleet_client;
GRANT SELECT ON fleet_findings TO fleet_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON fleet_scans, fleet_findings TO fleet_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON fleet_hosts, fleet_workers, fleet_objects, fleet_jobs, fleet_entries TO fleet_worker;
GRANT SELECT, UPDATE (timeline, changed) ON fleet_tier TO fleet_worker;
GRANT USAGE ON SEQUENCE fleet_jobs_id_seq TO fleet_worker;
