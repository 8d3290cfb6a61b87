/** The form in which usernames, addresses and role names are compared, so that names that look alike are equal. */

/**
 * NFKC, lower case, without invisible characters. users.username_key and users.email_key hold it and are unique. Backups
 * are held to it too: another form here would make all older ones damaged.
 */
export const userKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKC')
