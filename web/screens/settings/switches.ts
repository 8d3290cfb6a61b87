/** The system's settings: names, descriptions, and which depend on another. */
import type { SettingKey } from '../../../src/api/settings.ts'

interface SwitchText {
  key: SettingKey
  name: string
  explanation: string
}

export interface SwitchGroup {
  title: string
  /** A switch with a `parent` can be changed only while the parent is on. */
  switches: readonly (SwitchText & { parent?: SwitchText })[]
}

const validation: SwitchText = {
  key: 'validation_enabled',
  name: 'Enable validation',
  explanation: 'New files wait as pending until somebody who reviews files has approved them.',
}

const metadata: SwitchText = {
  key: 'metadata_enabled',
  name: 'Enable metadata',
  explanation: 'Uploads are asked for the metadata fields that are enabled.',
}

export const switchGroups: readonly SwitchGroup[] = [
  {
    title: 'Validation',
    switches: [
      validation,
      {
        key: 'allow_self_validation',
        name: 'Allow self-validation',
        explanation: 'Reviewers may also approve or reject their own files.',
        parent: validation,
      },
      {
        key: 'auto_validate_admin',
        name: 'Approve files of reviewers at once',
        explanation: 'What reviewers upload does not wait.',
        parent: validation,
      },
    ],
  },
  {
    title: 'Metadata',
    switches: [
      metadata,
      {
        key: 'metadata_required_on_upload',
        name: 'Require metadata on upload',
        explanation: 'An upload without its required fields is refused, from scripts and the terminal too.',
        parent: metadata,
      },
    ],
  },
]
