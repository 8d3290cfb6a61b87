/** The server's address for programs: the one that the browser uses. */
import { apiUrl } from '../../../lib/server/config.ts'

/** `https://files.example/api`. */
export const apiBase = apiUrl('')
/** The same without `/api`, which the examples append. */
export const serverAddress = apiBase.slice(0, -'/api'.length)
