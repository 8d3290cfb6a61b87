/** Uploading, in a chunk of its own: links to look at do not need it. */
import { createLazyPart } from '../../ui/lazy-part.tsx'

export const UploadPage = createLazyPart(() => import('./upload-page.tsx'), 'UploadPage')
