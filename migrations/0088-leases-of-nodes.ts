import type { Migration } from './migration.ts'

/** Of which node each lease is, so that others take over its jobs soon after it has gone. */
export const leasesOfNodes: Migration = {
  name: '0088-leases-of-nodes',
  rolling: true,
  up: {
    sqlite: [
      'ALTER TABLE leases ADD COLUMN node_id TEXT',
      'CREATE INDEX leases_node ON leases (node_id) WHERE node_id IS NOT NULL',
    ],
    mariadb: [
      `ALTER TABLE leases ADD COLUMN IF NOT EXISTS node_id VARCHAR(64),
        ADD INDEX IF NOT EXISTS leases_node (node_id)`,
    ],
  },
  down: {
    sqlite: ['DROP INDEX leases_node', 'ALTER TABLE leases DROP COLUMN node_id'],
    mariadb: ['ALTER TABLE leases DROP INDEX IF EXISTS leases_node, DROP COLUMN IF EXISTS node_id'],
  },
}
