/**
 * Copies the files that pdf.js fetches at run time (worker, fonts, character maps, decoders) from its package into the
 * page's assets.
 */
import { copyFile, cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The build of pdf.js for the browsers that the page supports. The worker must come from the same build. */
export const pdfBuild = 'pdfjs-dist/legacy/build'

/** Folder of pdf.js's package → the files to copy from it. Licences are copied too. */
const copied: Record<string, RegExp> = {
  'legacy/build': /^pdf\.worker\.min\.mjs$/,
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /\.(pfb|ttf)$|^LICENSE/,
  wasm: /\.(wasm|js)$|^LICENSE/,
  iccs: /\.icc$|^LICENSE/,
  'web/images': /^annotation-\w+\.svg$/,
}

/**
 * Copies the files into `assets/pdf-<version>`. Another version has another folder, so browsers may cache the files for
 * ever.
 */
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
