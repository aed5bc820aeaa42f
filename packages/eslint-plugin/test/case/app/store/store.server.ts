/** Stands for the site's store: a site without it has the rules all the same. */
export interface Query {
  selectFrom(table: string): Query;
  insertInto(table: string): Query;
  where(column: string, operator: string, value: unknown): Query;
  values(row: object): Query;
  execute(): Promise<object[]>;
}
export declare function store(): Query;
