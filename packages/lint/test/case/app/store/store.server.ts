/** Stands in for the site's store, so that the tests pass in a site without it. */
export interface Query {
  selectFrom(table: string): Query;
  insertInto(table: string): Query;
  where(column: string, operator: string, value: unknown): Query;
  values(row: object): Query;
  execute(): Promise<object[]>;
}
export declare function store(): Query;
