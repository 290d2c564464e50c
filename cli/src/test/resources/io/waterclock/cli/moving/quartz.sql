INSERT INTO QRTZ_JOB_DETAILS VALUES('S','report','billing','Sends the report','com.example.Report',TRUE,TRUE,FALSE,TRUE,NULL);
INSERT INTO QRTZ_JOB_DETAILS VALUES('S','mail','mail',NULL,'com.example.Mail',TRUE,FALSE,FALSE,FALSE,NULL);
INSERT INTO QRTZ_TRIGGERS(SCHED_NAME,TRIGGER_NAME,TRIGGER_GROUP,JOB_NAME,JOB_GROUP,TRIGGER_STATE,TRIGGER_TYPE,START_TIME,END_TIME,CALENDAR_NAME,MISFIRE_INSTR,PRIORITY) VALUES
 ('S','daily','billing','report','billing','WAITING','CRON',1764547200000,0,NULL,2,5),
 ('S','month-end','billing','report','billing','WAITING','CRON',1764547200000,1893456000000,NULL,0,9),
 ('S','hourly','billing','report','billing','WAITING','SIMPLE',1796083200000,0,NULL,0,5),
 ('S','once','billing','report','billing','WAITING','SIMPLE',1796083200000,0,NULL,0,5),
 ('S','done','billing','report','billing','COMPLETE','SIMPLE',1764547200000,0,NULL,0,5),
 ('S','paused','mail','mail','mail','PAUSED','CRON',1764547200000,0,NULL,1,5),
 ('S','holidays','mail','mail','mail','WAITING','CRON',1764547200000,0,'bank',0,5),
 ('S','blob','mail','mail','mail','WAITING','BLOB',1764547200000,0,NULL,0,5);
INSERT INTO QRTZ_CRON_TRIGGERS VALUES
 ('S','daily','billing','0 0 9 ? * 2-6','Europe/Berlin'),
 ('S','month-end','billing','0 30 18 L * ?','America/New_York'),
 ('S','paused','mail','0 0/15 * * * ?',NULL),
 ('S','holidays','mail','0 0 9 ? * 2-6','UTC');
INSERT INTO QRTZ_SIMPLE_TRIGGERS VALUES
 ('S','hourly','billing',-1,3600000,0),
 ('S','once','billing',0,0,0),
 ('S','done','billing',0,0,1);
