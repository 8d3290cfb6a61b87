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
import { type FileKind, kindLabels } from '../../src/api/kinds.ts'

interface KindLook {
  label: string
  /** The plural label. */
  plural: string
  /** Null when the label itself is the icon. */
  icon: Icon | null
}

export const kindLooks: Record<FileKind, KindLook> = {
  image: { label: kindLabels.image, plural: 'Images', icon: IconPhoto },
  video: { label: kindLabels.video, plural: 'Videos', icon: IconMovie },
  audio: { label: kindLabels.audio, plural: 'Audio', icon: IconMusic },
  pdf: { label: kindLabels.pdf, plural: 'PDF', icon: null },
  document: { label: kindLabels.document, plural: 'Documents', icon: IconFileText },
  sheet: { label: kindLabels.sheet, plural: 'Spreadsheets', icon: IconTable },
  slides: { label: kindLabels.slides, plural: 'Presentations', icon: IconPresentation },
  archive: { label: kindLabels.archive, plural: 'Archives', icon: IconFileZip },
  code: { label: kindLabels.code, plural: 'Code', icon: IconCode },
  other: { label: kindLabels.other, plural: 'Other', icon: IconFile },
}
