/** Names the running test file for .ci/log-statements.cjs, in this process and its child processes. */
import { relative } from 'node:path'
import { expect } from 'vitest'

process.env.FILESTORE_TEST_FILE = relative(process.cwd(), expect.getState().testPath ?? '')
