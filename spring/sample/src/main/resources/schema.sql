create table if not exists payments (order_id varchar(100) not null, cents int not null);
