/** A link to a folder, in a row or card. */
import { RowLink, type RowLinkProps } from './row-link.tsx'

interface FolderLinkProps extends Omit<RowLinkProps, 'to'> {
  /** Null is the root. */
  folderId: number | null
}

export const FolderLink = ({ folderId, ...rest }: FolderLinkProps) => (
  <RowLink to={`files${folderId === null ? '' : `/${folderId}`}`} {...rest} />
)
