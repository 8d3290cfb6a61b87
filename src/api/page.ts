/** Configuration that the web page needs before sign-in; the server writes it into index.html as JSON. */
export interface PageConfig {
  /** Bytes; the configured limit. */
  max_file_size: number
  trash_retention_days: number
  /** The accounts that the sign-in screen offers; empty unless the server runs as `filestore serve --demo`. */
  demo_accounts: readonly DemoAccount[]
}

/** An account with a public password. */
export interface DemoAccount {
  role: 'Admin' | 'User'
  username: string
  password: string
}

/** The same of the page of a link's visitor. */
export interface VisitConfig {
  /** The token in the page's address, whether or not it is that of a link. */
  token: string
  /** Whether the page shows a picture at once, so that it fetches what shows it while it asks about the link. */
  hasPicture: boolean
}
