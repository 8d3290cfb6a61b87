/** What the web page must know before anybody has signed in; the server writes it into index.html as JSON. */
export interface PageConfig {
  /** Bytes; the limit in force. */
  max_file_size: number
  trash_retention_days: number
  /** Whom the sign-in screen offers to be; empty but under `filestore serve --demo`. */
  demo_accounts: readonly DemoAccount[]
}

/** An account whose password everybody may know. */
export interface DemoAccount {
  role: 'Admin' | 'User'
  username: string
  password: string
}
