/** Whether the link's downloads are limited. Then its files have no previews, because each would be a download. */
import { useLink } from './link.ts'

export const useIsLimited = (): boolean =>
  useLink(({ state }) => state.kind === 'open' && state.info.downloads_left !== null)

/** Why a file has no preview then. */
export const noPreview = 'The downloads of this link are limited, so there is no preview.'
