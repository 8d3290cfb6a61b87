/** What the web page must know before anybody has signed in; the server writes it into index.html as JSON. */
export interface PageConfig {
  /** Bytes; the limit in force. */
  max_file_size: number
  trash_retention_days: number
}
