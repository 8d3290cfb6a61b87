/** Before the first test: the product is built as a user gets it, unless it is already, and Chromium is unpacked. */
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { execa } from 'execa'
import { isBuilt } from '../../build/built-from.ts'

export async function setup(): Promise<void> {
  const root = join(import.meta.dirname, '../..')
  if (!(await isBuilt(root))) await execa('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  // Here, because two workers that unpack it at once start what the other is still writing.
  await chromium.executablePath()
}
