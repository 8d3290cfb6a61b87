/** Builds what visitors see: only fields listed here leave the server. */
import type { Visitor } from '../access/actor.ts'
import type { LinkAccount } from '../access/link-rows.ts'
import type { FileItem, FolderListing } from '../api/items.ts'
import type { LinkInfo, VisitorItem, VisitorListing } from '../api/visits.ts'
import { maybeIsoTime } from '../base/iso-time.ts'
import type { Deps } from '../deps.ts'
import { listUploadFields } from '../metadata/upload-fields.ts'

/** What an item shows to a visitor by the link of that token. With limited downloads there are no thumbnails. */
export function presentVisitorItem(item: FileItem, token: string, { max_downloads }: LinkAccount): VisitorItem {
  const hasThumbnail = item.thumbnail_path !== null && max_downloads === null
  return {
    id: item.id,
    name: item.name,
    path: item.path,
    size: item.size,
    mime_type: item.mime_type,
    parent_id: item.parent_id,
    is_directory: item.is_directory,
    updated_at: item.updated_at,
    modified_at: item.modified_at,
    thumbnail_path: hasThumbnail ? `/api/s/${token}/files/${item.id}/thumbnail` : null,
  }
}

export const presentVisitorListing = (
  { folders, files, total, total_folders, path, breadcrumbs, next_cursor }: FolderListing,
  token: string,
  link: LinkAccount,
): VisitorListing => ({
  folders: folders.map(item => presentVisitorItem(item, token, link)),
  files: files.map(item => presentVisitorItem(item, token, link)),
  total,
  total_folders,
  path,
  breadcrumbs,
  next_cursor,
})

interface InfoRow {
  name: string
  size: number
  mime_type: string | null
}

/** What a link is on. A drop box tells no size, and asks for the metadata of its files. */
export async function presentInfo(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  link: LinkAccount,
  { link: { level }, permissions }: Visitor,
  item: InfoRow,
): Promise<LinkInfo> {
  const isFile = link.is_directory === 0
  return {
    locked: false,
    level,
    kind: isFile ? 'file' : 'folder',
    item_id: link.item_id,
    name: item.name,
    size: isFile ? item.size : null,
    mime_type: item.mime_type,
    from: link.maker_full_name ?? link.maker_name,
    expires_at: maybeIsoTime(link.expires_at),
    downloads_left: link.max_downloads === null ? null : Math.max(0, link.max_downloads - link.downloads),
    fields: permissions.has('files:upload') ? await listUploadFields(db) : [],
    ask_name: link.ask_name === 1,
    max_file_size: config.maxFileSize,
  }
}
