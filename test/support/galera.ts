/** A Galera cluster of MariaDB servers on this machine, of which the test may kill one after the other. */

import { existsSync } from 'node:fs'
import type { TestContext } from 'vitest'
import { findFreePort } from './free-port.ts'
import { copyData, type MariadbProcess, makeMariadbFolder, openMariadb } from './mariadb-process.ts'
import { skipBecause } from './skip.ts'

export interface Galera {
  /** Three, so that two are a majority when one is killed. Each has the empty database of its URL. */
  nodes: [MariadbProcess, MariadbProcess, MariadbProcess]
  /** The list of all nodes, for `--database`. */
  flag: string
  remove(): Promise<void>
}

/** Where Debian's package galera-4 has it. */
const provider = '/usr/lib/galera/libgalera_smm.so'

interface Member {
  mariadb: MariadbProcess
  /** For what the nodes tell each other, and for the changes that one has missed. */
  ports: [group: number, missed: number]
}

const portOf = ({ url }: MariadbProcess): string => new URL(url).port

function optionsOf({ mariadb, ports: [group, missed] }: Member, all: readonly Member[]): string[] {
  const local = [`gmcast.listen_addr=tcp://127.0.0.1:${group}`, `ist.recv_addr=127.0.0.1:${missed}`, 'gcache.size=16M']
  return [
    '--wsrep-on=ON',
    `--wsrep-provider=${provider}`,
    `--wsrep-cluster-address=gcomm://${all.map(({ ports }) => `127.0.0.1:${ports[0]}`).join(',')}`,
    `--wsrep-node-address=127.0.0.1:${group}`,
    `--wsrep-provider-options=base_host=127.0.0.1;base_port=${group};${local.join(';')}`,
    // All begin with the same data and get the rest change by change; of the methods, this one needs no other program.
    '--wsrep-sst-method=mysqldump',
    '--wsrep-sst-auth=root:',
    `--wsrep-sst-receive-address=127.0.0.1:${portOf(mariadb)}`,
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--innodb-flush-log-at-trx-commit=0',
  ]
}

/** Skips the test where a cluster cannot be started. */
export async function createGalera(context: TestContext): Promise<Galera> {
  if (!existsSync(provider)) skipBecause('galera-4 is not installed', context)
  const folders = [await makeMariadbFolder(context), await makeMariadbFolder(context), await makeMariadbFolder(context)]
  const members: Member[] = []
  for (const folder of folders) {
    members.push({ mariadb: await openMariadb(folder), ports: [await findFreePort(), await findFreePort()] })
  }
  const [first, ...others] = members as [Member, Member, Member]
  const begin = () => first.mariadb.start([...optionsOf(first, members), '--wsrep-new-cluster'])
  // Gives the data the name of the cluster, by which the other nodes know it as theirs.
  await begin()
  await first.mariadb.run('CREATE DATABASE filestore')
  await first.mariadb.stop()
  for (const folder of folders.slice(1)) await copyData(folders[0] ?? '', folder)
  await begin()
  for (const other of others) await other.mariadb.start(optionsOf(other, members))
  const hosts = others.map(({ mariadb }) => `127.0.0.1:${portOf(mariadb)}`)
  return {
    nodes: [first.mariadb, others[0].mariadb, others[1].mariadb],
    flag: `${first.mariadb.url}?or=${hosts.join(',')}`,
    remove: async () => {
      for (const { mariadb } of members) await mariadb.remove()
    },
  }
}
