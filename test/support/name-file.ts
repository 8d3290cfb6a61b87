/** Tells .ci/log-statements.cjs, in this process and those that it starts, which test file is running. */
import { relative } from 'node:path'
import { expect } from 'vitest'

process.env.FILESTORE_TEST_FILE = relative(process.cwd(), expect.getState().testPath ?? '')
