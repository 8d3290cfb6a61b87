/** The terminal browser against servers that misbehave. */
import { expect, test } from 'vitest'
import type { FileItem } from '../../src/api/items.ts'
import { answerPage, answerProfile, describeFile, startOddServer } from './odd-server.ts'
import { openScreen } from './screen.ts'

test('an answer of the wrong shape shows an error, and R loads the list again', async () => {
  const file = describeFile('a.bin', Buffer.from('a'))
  let asked = 0
  const { terminal } = await startOddServer({
    'GET /api/auth/profile': answerProfile,
    'GET /api/files': (_request, response) => {
      asked += 1
      const torn = { ...file, tags: null } as unknown as FileItem
      answerPage(response, { files: [asked === 1 ? torn : file] })
    },
  })
  const screen = await openScreen(terminal)
  await screen.shows('Invalid response format')
  screen.type('R')
  await screen.stands('a.bin')
})

test('an empty page with a further cursor shows an error, and no more pages are requested', async () => {
  let asked = 0
  const { terminal } = await startOddServer({
    'GET /api/auth/profile': answerProfile,
    'GET /api/files': (_request, response) => {
      asked += 1
      answerPage(response, { next_cursor: asked < 1000 ? `${asked}` : null })
    },
  })
  const screen = await openScreen(terminal)
  await screen.shows('a list without end')
  expect(asked).toBe(1)
})
