/** Processor time of processes, as Linux reports it. */
import { readdir, readFile } from 'node:fs/promises'
import { listTree } from './memory-of.ts'

/** ms of a tick of /proc/<pid>/stat (proc(5)), which is a hundredth of a second on every Linux that Node runs on. */
const tick = 10

/** What a process has used, its ended threads too, in ms; 0 for one that has ended. */
async function readOne(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name, in brackets, may have spaces; utime and stime are the 12th and 13th field behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tick
}

/** Lists all processes of this machine with that name. */
export async function findProcesses(name: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry)).map(Number)
  const names = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')))
  return pids.filter((_, index) => names[index]?.trim() === name)
}

/** The ms that these processes, and those below them, have used so far. */
export async function readProcessorTime(pids: readonly number[]): Promise<number> {
  const trees = await Promise.all(pids.map(listTree))
  const times = await Promise.all(trees.flat().map(readOne))
  return times.reduce((sum, time) => sum + time, 0)
}
