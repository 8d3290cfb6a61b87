/** The sections that the header and the phone's menu offer, in their order. */
export const sections = [
  { label: 'Files', to: '/files/{-$folderId}', path: '/files' },
  { label: 'Trash', to: '/trash', path: '/trash' },
] as const
