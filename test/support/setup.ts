/** Before the first test: the product is built as a user gets it, and Chromium stands unpacked. */
import chromium from '@sparticuz/chromium'
import { execa } from 'execa'

export async function setup(): Promise<void> {
  await execa('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  // Here, because two workers that unpack it at once start what the other is still writing.
  await chromium.executablePath()
}
