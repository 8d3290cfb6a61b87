/** The word and the icon for each kind of item. */
import {
  type Icon,
  IconCode,
  IconFile,
  IconFileText,
  IconFileZip,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconPresentation,
  IconTable,
} from '@tabler/icons-react'
import { type FileKind, fileKind } from '../../src/api/kinds.ts'

interface KindLook {
  label: string
  /** Null where the word itself is the icon. */
  icon: Icon | null
}

export const kindLooks: Record<FileKind, KindLook> = {
  image: { label: 'Image', icon: IconPhoto },
  video: { label: 'Video', icon: IconMovie },
  audio: { label: 'Audio', icon: IconMusic },
  pdf: { label: 'PDF', icon: null },
  document: { label: 'Document', icon: IconFileText },
  sheet: { label: 'Spreadsheet', icon: IconTable },
  slides: { label: 'Presentation', icon: IconPresentation },
  archive: { label: 'Archive', icon: IconFileZip },
  code: { label: 'Code', icon: IconCode },
  other: { label: 'File', icon: IconFile },
}

/** What kind of thing an item is, in a word. */
export const kindLabel = (item: { is_directory: boolean; mime_type: string | null }): string =>
  item.is_directory ? 'Folder' : kindLooks[fileKind(item.mime_type)].label
