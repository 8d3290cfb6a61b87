/** How a file is downloaded from within the viewer; the page around it says so. */
import { createContext } from 'react'
import type { ViewedFile } from './viewed-file.ts'

/** Reports a failure to the user, and never throws. */
export const SaveFile = createContext<(file: ViewedFile) => void>(() => undefined)
