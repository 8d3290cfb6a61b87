/** Runs before the first test: builds the product unless it is built already, and unpacks Chromium. */
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { execa } from 'execa'
import { isBuilt } from '../../build/built-from.ts'

export async function setup(): Promise<void> {
  const root = join(import.meta.dirname, '../..')
  if (!(await isBuilt(root))) await execa('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  // Unpack here, because two workers that unpack at the same time would start an incomplete Chromium.
  await chromium.executablePath()
}
