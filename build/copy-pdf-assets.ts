/** Copies what pdf.js fetches while it runs (worker, fonts, character maps, decoders) from its package into the page's assets. */
import { copyFile, cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The build of pdf.js for the browsers that the page supports; the worker must be of the same. */
export const pdfBuild = 'pdfjs-dist/legacy/build'

/** Folder of pdf.js's package → what of it is fetched. Licences go along. */
const copied: Record<string, RegExp> = {
  'legacy/build': /^pdf\.worker\.min\.mjs$/,
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /\.(pfb|ttf)$|^LICENSE/,
  wasm: /\.(wasm|js)$|^LICENSE/,
  iccs: /\.icc$|^LICENSE/,
  'web/images': /^annotation-\w+\.svg$/,
}

/** Into `assets/pdf-<version>`: under another version's name nothing of this one is found, so all may be kept for ever. */
export async function copyPdfAssets(root: string): Promise<void> {
  const from = join(root, 'node_modules/pdfjs-dist')
  const { version } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as { version: string }
  const to = join(root, 'dist/web/assets', `pdf-${version}`)
  await Promise.all(
    Object.entries(copied).map(async ([folder, names]) => {
      const source = join(from, folder)
      const target = join(to, folder.split('/').at(-1) ?? folder)
      await mkdir(target, { recursive: true })
      await cp(source, target, {
        recursive: true,
        filter: path => path === source || names.test(path.slice(source.length + 1)),
      })
    }),
  )
  await copyFile(join(root, 'web/viewer/pdf/worker.mjs'), join(to, 'build/worker.mjs'))
}
