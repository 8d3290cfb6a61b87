/** The label and icon of each kind of item. */
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
  /** The plural label. */
  plural: string
  /** Null when the label itself is the icon. */
  icon: Icon | null
}

export const kindLooks: Record<FileKind, KindLook> = {
  image: { label: 'Image', plural: 'Images', icon: IconPhoto },
  video: { label: 'Video', plural: 'Videos', icon: IconMovie },
  audio: { label: 'Audio', plural: 'Audio', icon: IconMusic },
  pdf: { label: 'PDF', plural: 'PDF', icon: null },
  document: { label: 'Document', plural: 'Documents', icon: IconFileText },
  sheet: { label: 'Spreadsheet', plural: 'Spreadsheets', icon: IconTable },
  slides: { label: 'Presentation', plural: 'Presentations', icon: IconPresentation },
  archive: { label: 'Archive', plural: 'Archives', icon: IconFileZip },
  code: { label: 'Code', plural: 'Code', icon: IconCode },
  other: { label: 'File', plural: 'Other', icon: IconFile },
}

/** The label of an item's kind. */
export const kindLabel = (item: { is_directory: boolean; mime_type: string | null }): string =>
  item.is_directory ? 'Folder' : kindLooks[fileKind(item.mime_type)].label
