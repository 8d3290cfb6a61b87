/** What the tests of requests with several files share. */
import { listFiles } from '../../../src/api/files.ts'
import type { UploadResult } from '../../../src/api/upload-many.ts'
import type { UploadManyRequest } from '../../../web/lib/uploads/upload-many-form.ts'
import type { BuiltUser } from '../../support/factories.ts'
import { openUploadPage, textFile, type UploadPage } from './page.ts'

export type SendMany = UploadPage['uploads']['deps']['sendMany']

export const namesIn = async (user: BuiltUser, parent_id: number | null = null): Promise<string[]> => {
  const { folders, files } = await user.call(listFiles, { parent_id })
  return [...folders, ...files].map(({ name }) => name)
}
export const abc = () => ['a.txt', 'b.txt', 'c.txt'].map(name => textFile(name))

/** What sends to the real server. */
export const wholeOf = (user: BuiltUser): SendMany => openUploadPage(user).uploads.deps.sendMany

/** A page whose first request is sent by `first`, with what sends to the real server; all others go there. */
export function openWithFirst(
  user: BuiltUser,
  first: (request: UploadManyRequest, whole: SendMany) => ReturnType<SendMany>,
) {
  const whole = wholeOf(user)
  let count = 0
  return openUploadPage(user, {
    sendMany: request => {
      count += 1
      return count === 1 ? first(request, whole) : whole(request)
    },
  })
}

/** Resolves when the returned function is called. */
export function hold(): { held: Promise<void>; letGo: () => void } {
  let letGo = (): void => undefined
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  return { held, letGo }
}

export const untilAborted = ({ signal }: UploadManyRequest): Promise<readonly UploadResult[]> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('Upload cancelled'))))
