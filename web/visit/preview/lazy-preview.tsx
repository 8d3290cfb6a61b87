/** The preview and what it shows, in a chunk of their own: most visitors only download. */
import { createLazyPart } from '../../ui/lazy-part.tsx'

export const Preview = createLazyPart(() => import('./preview.tsx'), 'Preview')
export const FileView = createLazyPart(() => import('./file-view.tsx'), 'FileView')
