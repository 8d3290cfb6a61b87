/** What an upload's failure says of its folder. */
import { expect, test } from 'vitest'
import { ApiError } from '../../../src/api/client.ts'
import { FolderError, isFolderLost } from '../../../web/lib/uploads/failures.ts'

const forbidden = (message: string) => new ApiError(403, message, { code: 'forbidden' })
const gone = new ApiError(404, 'Not found', { code: 'not_found' })

test('only a folder that is gone or closed is a lost one, not what the user may do nowhere', () => {
  expect([gone, new FolderError(gone), forbidden('You may not do this here')].map(isFolderLost)).toEqual([
    true,
    true,
    true,
  ])
  const nowhere = [forbidden('You may not do this'), new FolderError(forbidden('You may not do this here'))]
  expect(nowhere.map(isFolderLost)).toEqual([false, false])
})
