/** The form in which usernames, addresses and role names are compared: what looks alike is alike. */

/** NFKC, lower case, invisible characters removed; users.username_key and users.email_key hold it, uniquely. */
export const userKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKC')
