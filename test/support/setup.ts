/** Before the first test: the product is built as a user gets it. */
import { execa } from 'execa'

export async function setup(): Promise<void> {
  await execa('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
