/** The bare server, with which all others are compared. */
import { join } from 'node:path'
import type { BareServer } from '../bare.ts'
import { sendBytes } from '../client.ts'
import { uploadRequest } from '../load.ts'
import { type Contestant, lanes, newName, smallSize } from './contestant.ts'
import { countFiles, type DataFolder, removeLargeFiles } from './data-folder.ts'

export const bareName = 'bare'

/** `uploads` is the folder of the server's uploads. */
export function bareContestant(start: () => Promise<BareServer>, uploads: string, data: DataFolder): Contestant {
  const pathOf = (file: string) => `/?file=${encodeURIComponent(join(data.folder, file))}`
  return {
    name: bareName,
    syncs: true,
    headers: {},
    start,
    smallUploads: [
      {
        name: '',
        filesPerRequest: 1,
        lanes,
        status: 200,
        build: async (target, count) =>
          Array.from({ length: count }, () => uploadRequest(target, '/', newName(), smallSize)),
      },
    ],
    countUploads: () => countFiles(uploads),
    smallFiles: data.smallFiles.map(pathOf),
    largeFile: pathOf(data.largeFile),
    largeBytes: join(data.folder, data.largeFile),
    sendLarge: (target, size) => sendBytes(target, '/?', newName(), size),
    clearLarge: () => removeLargeFiles(uploads),
  }
}
