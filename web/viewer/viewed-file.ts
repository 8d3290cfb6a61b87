/** What the viewer knows of a file: what a link's visitors are told of it. */
import type { FileItem } from '../../src/api/items.ts'

export type ViewedFile = Pick<
  FileItem,
  'id' | 'name' | 'path' | 'size' | 'mime_type' | 'is_directory' | 'updated_at' | 'modified_at' | 'thumbnail_path'
>
